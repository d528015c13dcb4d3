import type { DownMessage } from '#contract/realtime.ts'

/** A message as the bytes of its frame, so that one encoding serves every socket. */
export function encode(message: DownMessage): Buffer {
  return Buffer.from(JSON.stringify(message))
}
