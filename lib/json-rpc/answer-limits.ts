/**
 * Bounds on what servers send, besides the bytes that their config allows (`limits.response_bytes`, `line_bytes`). JSON
 * of fewer bytes than `judgedFromBytes` costs too little to be a danger, and is parsed as it is.
 */
export const judgedFromBytes = 32_768;

/** What passes an agent by is not parsed here, so that much more is let through than from clients. */
export const maxAnswerDepth = 128;
export const maxAnswerElements = 250_000;

/** Whatever is parsed here as well: requests, notifications, and arrays of messages. */
export const maxParsedElements = 50_000;
export const maxParsedCharacters = 4_194_304;
