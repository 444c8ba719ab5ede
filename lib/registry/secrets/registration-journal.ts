/**
 * Registrations under way that write secrets. A secret has to be there before its server can start, and its server
 * before it is registered: what a service that was killed in between leaves behind is found here at the next start.
 */
export interface RegistrationJournal {
  /** Resolves, once it is durable, with how to strike the entry out again. */
  note(secrets: readonly string[]): Promise<() => Promise<void>>;
  /** What earlier processes of this installation noted and did not strike out. */
  leftBehind(): Promise<readonly UnfinishedRegistration[]>;
  strike(id: string): Promise<void>;
}

export interface UnfinishedRegistration {
  readonly id: string;
  /** Names of secrets. */
  readonly secrets: readonly string[];
}
