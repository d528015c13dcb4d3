/** Stands in an example for a number that nobody knows: it is shown as a dash. Never a query's whole data: it equals nothing. */
export const UNKNOWN = Number.NaN

class OrNull {
  readonly example: unknown
  constructor(example: unknown) {
    this.example = example
  }
}

/** In an example: what may be null. */
export const orNull = <T>(example: T): T | null => new OrNull(example) as unknown as T

/**
 * An answer with everything in it that the example has. What is missing, null or of another kind is taken from the
 * example, so that an older server, or one in between, never breaks a page. A list has one example in it; elements
 * without a text that is empty in the example are left out, since nobody could tell them apart.
 */
export function complete<T>(example: T, answer: unknown): T {
  return completed(example, answer) as T
}

function completed(example: unknown, answer: unknown): unknown {
  if (example instanceof OrNull)
    return answer === null || answer === undefined ? null : completed(example.example, answer)
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return []
    const [element] = example as unknown[]
    const whole = answer.filter((each) => isObject(each) === isObject(element))
    return whole.map((each) => completed(element, each)).filter((each) => isNamed(element, each))
  }
  if (isObject(example)) {
    const given = isObject(answer) ? answer : {}
    const fields = Object.entries(example).map(([name, each]) => [name, completed(each, given[name])])
    return { ...given, ...(Object.fromEntries(fields) as object) }
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
