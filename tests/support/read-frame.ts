/** The message in a text frame of the server. Its header has no brace (RFC 6455, section 5.2). */
export const readFrame = (frame: Buffer): { type: string; data: unknown } =>
  JSON.parse(String(frame.subarray(frame.indexOf('{')))) as { type: string; data: unknown }
