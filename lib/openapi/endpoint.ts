import type { FailureCode } from '../failure.ts';
import type { AnyStruct } from '../json/json-schema.ts';

/** What the OpenAPI document says of one endpoint; it lies beside the endpoint's handler. */
export interface Endpoint {
  /** One sentence in one line. */
  readonly summary: string;
  /** What a caller has to know besides; Markdown. */
  readonly description?: string;
  /** Path parameters by name, besides those that may be any text. */
  readonly path?: Readonly<Record<string, AnyStruct>>;
  /** Query parameters by name. */
  readonly query?: Readonly<Record<string, AnyStruct>>;
  /** Request headers by name, besides those of every request. */
  readonly headers?: Readonly<Record<string, AnyStruct>>;
  /** The struct that checks the body. */
  readonly body?: AnyStruct;
  readonly isBodyOptional?: boolean;
  /** By status. A struct stands for the manager's JSON: the fields beside `success`. */
  readonly answers: Readonly<Record<number, AnyStruct | readonly Content[]>>;
  /** Besides those that every request may be answered with. */
  readonly failures?: readonly FailureCode[];
  /** Failures are JSON-RPC error responses. */
  readonly isJsonRpc?: boolean;
  readonly examples?: readonly Example[];
}

/** An answer that is not the manager's JSON, or one of several kinds. */
export interface Content {
  readonly mediaType: string;
  readonly description: string;
  readonly schema?: AnyStruct;
  /** Of an event stream: the data by name of event; an event without a name is a `message`. */
  readonly events?: Readonly<Record<string, AnyStruct>>;
  /** The schema is that of the fields beside `success`. */
  readonly isSuccess?: boolean;
}

/** A request, and how a service with the servers of `configs/` answers it after the examples before. */
export interface Example {
  readonly name: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: unknown;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** By method and path, with `{name}` for a parameter. */
export type Endpoints = Readonly<Record<`${Method} /${string}`, Endpoint>>;
