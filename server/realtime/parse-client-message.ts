import { type ServerMessage, ClientMessageSchema, type ClientMessage } from '#contract/realtime.ts'

/** A valid message of a client, or the error code to send back. */
export type ParsedMessage =
  | { message: ClientMessage; error?: undefined }
  | { error: ErrorCode; message?: undefined }

type ErrorCode = Extract<ServerMessage, { type: 'error' }>['data']['code']

export const ERRORS: Readonly<Record<ErrorCode, string>> = {
  malformed: 'Send JSON like {"type":"subscribe","topic":"continent:EU"}.',
  topic_unknown: 'There is no such topic.',
  too_fast: 'Too many messages.',
}

/** Parses the text of a frame. `isTopic` must return false for names on `Object.prototype`. */
export function parseClientMessage(text: string, isTopic: (topic: string) => boolean): ParsedMessage {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { error: 'malformed' }
  }
  const read = ClientMessageSchema.safeParse(value)
  if (read.success) return isTopic(read.data.topic) ? { message: read.data } : { error: 'topic_unknown' }
  const onlyTopic = read.error.issues.every((issue) => issue.path[0] === 'topic')
  const named = typeof (value as { topic?: unknown } | null)?.topic === 'string'
  return { error: onlyTopic && named ? 'topic_unknown' : 'malformed' }
}

/** A token bucket: the messages that a client may still send. */
export type Allowance = { left: number; at: number }

// A page subscribes to one continent at a time. All seven at once, with some margin, is generous.
const BURST = 20
const PER_SECOND = 5

export const fullAllowance = (nowMs: number): Allowance => ({ left: BURST, at: nowMs })

/** Takes one message from the allowance. Returns false if none is left. `nowMs` must be monotonic. */
export function spend(allowance: Allowance, nowMs: number): boolean {
  allowance.left = Math.min(BURST, allowance.left + ((nowMs - allowance.at) / 1_000) * PER_SECOND)
  allowance.at = nowMs
  if (allowance.left < 1) return false
  allowance.left -= 1
  return true
}
