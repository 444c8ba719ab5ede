/** The open GET streams of this process (2025-11-25 basic/transports, "Listening for Messages"). */
export interface EventStreams {
  /** Opens a stream for a session; it ends when the client leaves, the session ends, or it reads too slowly. */
  open(
    session: { readonly id: string; readonly group: string },
    signal: AbortSignal,
  ): ReadableStream<Uint8Array>;
  /** Sends one message to every session of the group: on one stream each, never on several (rule 26). */
  sendToGroup(group: string, message: string): void;
  closeSession(sessionId: string): void;
  closeAll(): void;
  count(): number;
}
