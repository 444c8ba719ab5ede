/** What a server says that is no answer and belongs to no call. */
export interface ServerNotifications {
  readonly onListChanged: () => void;
  /** Any other notification; log messages already carry the server's name, and are for one session. */
  readonly onUnsolicited?: ((notification: UnsolicitedNotification) => void) | undefined;
  /** It logged something that may be of any of several sessions, so that none was told. */
  readonly onUndelivered?: (() => void) | undefined;
  /** It asked a client something in no call's stream, so that only our knowledge of who calls tells of which client. */
  readonly onAskedBack?: (() => void) | undefined;
}

export interface UnsolicitedNotification {
  readonly method: string;
  /** The whole message as it came. */
  readonly text: string;
  /** The one session that it is for, if it is not for all who care. */
  readonly sessionId?: string | undefined;
}
