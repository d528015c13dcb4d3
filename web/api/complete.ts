import { baseUnits, type Cotton, fromReply } from '#game/cotton.ts'

/** An unknown number in an example; it is shown as a dash. Never use it as a query's whole data: NaN equals nothing. */
export const UNKNOWN = Number.NaN

/** An unknown amount in an example. It becomes null if the reply has no number in its place. */
export const UNKNOWN_AMOUNT = Symbol('unknown-amount') as unknown as Cotton | null

/** An amount of a reply in base units; null if it is not a finite number. */
export function readAmount(amount: unknown): Cotton | null {
  if (typeof amount === 'bigint') return baseUnits(amount)
  return typeof amount === 'number' ? fromReply(amount) : null
}

class OrNull {
  readonly example: unknown
  constructor(example: unknown) {
    this.example = example
  }
}

/** A field of an example that may be null. */
export const orNull = <T>(example: T): T | null => new OrNull(example) as unknown as T

/**
 * Completes a reply with an example. A field that is missing, null or of another type comes from the example, so that
 * a server of another version never breaks a page. Amounts are converted to base units: an example has `UNKNOWN_AMOUNT`
 * or a default of type `Cotton` in their place. A list in an example has one element. An element of the reply is
 * dropped if it lacks a text that is empty in the example, because such a text identifies the element.
 */
export function complete<T>(example: T, answer: unknown): T {
  return completed(example, answer) as T
}

function completed(example: unknown, answer: unknown): unknown {
  if (example === UNKNOWN_AMOUNT) return readAmount(answer)
  if (typeof example === 'bigint') return readAmount(answer) ?? example
  if (example instanceof OrNull)
    return answer === null || answer === undefined ? null : completed(example.example, answer)
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return []
    const [element] = example as unknown[]
    const whole = answer.filter((each) => isObject(each) === isObject(element))
    return whole.map((each) => completed(element, each)).filter((each) => isNamed(element, each))
  }
  if (isObject(example)) {
    const reply = isObject(answer) ? answer : {}
    const fields = Object.entries(example).map(([name, each]) => [name, completed(each, reply[name])])
    return { ...reply, ...(Object.fromEntries(fields) as object) }
  }
  if (example === undefined) return answer ?? undefined
  return typeof answer === typeof example ? answer : example
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNamed = (example: unknown, value: unknown): boolean =>
  !isObject(example) ||
  !isObject(value) ||
  Object.entries(example).every(([name, each]) => each !== '' || value[name] !== '')
