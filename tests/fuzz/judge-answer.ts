import type { ZodMiniType } from 'zod/mini'
import { CONSOLE_REFUSALS } from '#contract/console/refusals.ts'
import { REFUSALS } from '#contract/refusals.ts'
import type { HttpAnswer } from './send-request.ts'

export type Expected = {
  /** The codes that the route may refuse with; null for a request beside the contract. */
  refuses: ReadonlySet<string> | null
  /** What a 200 answers. Null for a file or a page. */
  reply: ZodMiniType | null
}

const DOCUMENTED: Readonly<Record<string, { status: number } | undefined>> = {
  ...REFUSALS,
  ...CONSOLE_REFUSALS,
}

/** Refusals of 5xx that are no fault: an operator has paused withdrawals. */
const NO_FAULT = new Set(['withdrawals_paused'])

/** What only the log may contain: a stack, a file of the server, a statement or an error of Postgres. */
const INTERNAL =
  /\.ts:\d+|node_modules|\bat \w+ \(|invalid input syntax|violates .* constraint|\bselect .* from\b/i

/** What is wrong with an answer; null if it is one that the contract allows. */
export function findFault({ status, type, text }: HttpAnswer, { refuses, reply }: Expected): string | null {
  const isJson = type.startsWith('application/json')
  if (status >= 400 && text !== '' && INTERNAL.test(text))
    return `${status} shows an internal detail: ${text.slice(0, 300)}`
  if (status === 200 && reply && text !== '') {
    if (!isJson) return `200 is ${type || 'of no type'} and not JSON`
    const read = reply.safeParse(parse(text))
    return read.success ? null : `200 is not what the contract declares: ${read.error.message.slice(0, 300)}`
  }
  if (status < 400) return status < 200 || status >= 300 ? redirectFault(status) : null
  // The response of HEAD has no body.
  if (text === '') return status < 500 ? null : `${status} without a body`
  if (!isJson) return `${status} is ${type || 'of no type'} and not JSON: ${text.slice(0, 200)}`
  return findRefusalFault(status, parse(text), refuses)
}

const redirectFault = (status: number): string | null =>
  status === 304 ? null : `${status} is not documented`

function findRefusalFault(status: number, body: unknown, refuses: Expected['refuses']): string | null {
  const { success, code, message } = (body ?? {}) as Record<string, unknown>
  const shown = JSON.stringify(body).slice(0, 300)
  if (success !== false || typeof code !== 'string' || typeof message !== 'string' || message === '')
    return `${status} has no documented body: ${shown}`
  if (DOCUMENTED[code]?.status !== status) return `${status} has the undocumented code ${code}`
  if (status >= 500 && !NO_FAULT.has(code)) return `${status}: ${shown}`
  if (refuses && !refuses.has(code)) return `this route does not declare ${code}: ${shown}`
  return null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
