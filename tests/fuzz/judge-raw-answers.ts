import { findFault } from './judge-answer.ts'
import type { RawCase } from './raw-requests.ts'
import type { Listener } from './well-formed-requests.ts'
import type { HttpAnswer } from './send-request.ts'
import type { RawOutcome } from './send-bytes.ts'

/** The final answers in these bytes, in their order, and what is left after the last whole one. */
export function readAnswers(
  bytes: string,
  methods: readonly string[] = [],
): { answers: HttpAnswer[]; rest: string } {
  const answers: HttpAnswer[] = []
  let rest = bytes
  for (;;) {
    const [head] = /^HTTP\/1\.[01] \d{3}[\s\S]*?\r\n\r\n/.exec(rest) ?? []
    if (head === undefined) return { answers, rest }
    const status = Number(head.slice(9, 12))
    const after = rest.slice(head.length)
    const hasBody = status >= 200 && status !== 204 && status !== 304 && methods[answers.length] !== 'HEAD'
    const body = hasBody ? bodyOf(head, after) : { raw: '', text: '' }
    if (body === null) return { answers, rest }
    rest = after.slice(body.raw.length)
    const type = /\r\ncontent-type: *([^\r]*)/i.exec(head)?.[1] ?? ''
    if (status >= 200 || status === 101)
      answers.push({ status, type, text: Buffer.from(body.text, 'latin1').toString() })
    // Frames follow, and no answers.
    if (status === 101) return { answers, rest: '' }
  }
}

/** The body at the start of these bytes; null if it is not complete. */
function bodyOf(head: string, after: string): { raw: string; text: string } | null {
  // Without knowing the method: no body follows the head of an answer to HEAD.
  if (after === '' || after.startsWith('HTTP/1.')) return { raw: '', text: '' }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    const raw = after.slice(0, Number(length))
    return raw.length === Number(length) ? { raw, text: raw } : null
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { raw: after, text: after }
  const [raw] = /^(?:[0-9a-f]+\r\n[\s\S]*?\r\n)*?0\r\n\r\n/i.exec(after) ?? []
  return raw === undefined ? null : { raw, text: raw.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/gi, '').trimEnd() }
}

/** What is wrong with what a connection received; null if nothing is. */
export function findRawFault(listener: Listener, { expected }: RawCase, outcome: RawOutcome): string | null {
  const methods = Array.isArray(expected) ? expected.map(({ method }) => method) : []
  const { answers, rest } = readAnswers(outcome.received, methods)
  if (!outcome.closed)
    return `neither answered nor closed in time; received ${JSON.stringify(outcome.received.slice(0, 200))}`
  const failed = answers.find(({ status }) => status >= 500)
  if (failed) return `answered ${failed.status}: ${failed.text.slice(0, 300)}`
  if (/^HTTP\/1\.1 5|^[^H]/.test(rest))
    return `received what is no answer: ${JSON.stringify(rest.slice(0, 200))}`
  if (
    listener !== 'chain' &&
    /HTTP\/1\.1 4\d\d [^\r]*\r\nconnection: close\r\ndate: [^\r]*\r\ntransfer/i.test(outcome.received)
  )
    return 'Node refused it without the body of a refusal'
  if (listener !== 'chain')
    for (const answer of answers) {
      const fault = answer.status < 400 ? null : findFault(answer, { refuses: null, reply: null })
      if (fault !== null) return fault
    }
  const statuses = answers.map(({ status }) => status)
  if (expected === 'refused' && (statuses.length > 1 || statuses.some((status) => status < 400)))
    return `unclear bytes were answered ${statuses.join(', ')}`
  if (Array.isArray(expected) && statuses.join() !== expected.map(({ status }) => status).join())
    return `answered ${statuses.join()} instead of ${expected.map(({ status }) => status).join()}`
  return null
}
