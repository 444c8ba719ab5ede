import type { AnyStruct, ValueOf } from '../../lib/json/json-schema.ts';
import type { managerEndpoints } from './endpoints.ts';

/** The manager API as a client's types, from the structs of its endpoints. The dashboard's client (`static/lib/api.js`) has them. */

type Manager = typeof managerEndpoints;

/** `GET /api/tools` and so on. */
export type ManagerCall = keyof Manager;

/** The fields of the JSON of a success, besides `success`. */
export type AnswerOf<Call extends ManagerCall> = JsonOf<Manager[Call]['answers']>;

type JsonOf<Answers> = { [Status in keyof Answers]: JsonOfAnswer<Answers[Status]> }[keyof Answers];

type JsonOfAnswer<Answer> = Answer extends AnyStruct
  ? ValueOf<Answer>
  : Answer extends readonly (infer Content)[]
    ? Content extends { readonly schema: infer Schema extends AnyStruct; readonly isSuccess: true }
      ? ValueOf<Schema>
      : never
    : never;

export type BodyOf<Call extends ManagerCall> = Manager[Call] extends {
  readonly body: infer Body extends AnyStruct;
}
  ? ValueOf<Body>
  : undefined;

/** The parameters in the path, by name. */
export type PathOf<Call extends string> = Call extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & PathOf<Rest>
  : unknown;

export type QueryOf<Call extends ManagerCall> = Manager[Call] extends { readonly query: infer Query }
  ? { readonly [Name in keyof Query]?: string | undefined }
  : undefined;

/** The data of an event of an event stream, by the name of the event. */
export type EventsOf<Call extends ManagerCall> = EventsIn<Manager[Call]['answers']>;

type EventsIn<Answers> = { [Status in keyof Answers]: EventsOfAnswer<Answers[Status]> }[keyof Answers];

type EventsOfAnswer<Answer> = Answer extends readonly (infer Content)[]
  ? Content extends { readonly events: infer Events extends Readonly<Record<string, AnyStruct>> }
    ? { readonly [Name in keyof Events]: ValueOf<Events[Name]> }
    : never
  : never;
