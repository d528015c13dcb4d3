/** One operation, as it changes one thing: a balance or a parcel. */
export type Step<S> = {
  name: string
  /** It took effect between these times. */
  from: number
  to: number
  /** Whether it may not have happened: no reply acknowledged it. */
  isOptional: boolean
  /** Whether it can follow this state with its answer. */
  canFollow(state: S): boolean
  apply(state: S): S
}

/** Steps that follow this state in their order. All of `open` may come next, the one that ends first before the others. */
export type ListMoves<S, T extends Step<S>> = (state: S, open: readonly T[]) => Iterable<readonly T[]>

type Frame<S, T> = {
  state: S
  /** The steps that led here. */
  placed: readonly T[]
  /** All steps before the first are placed or over, none behind the last is placed. */
  first: number
  last: number
  /** When the last step that is placed began. */
  latest: number
  open: readonly T[]
  moves: Iterator<readonly T[]>
}

const MAX_TRIES = 300_000
/** Of the processor: others may be busy on it. */
const MAX_CPU_MS = 20_000

/**
 * Searches for an order of the steps in which each follows the one before with its answer, and which agrees with time:
 * what ended before another began comes first. Returns null if there is one, or else a sentence.
 *
 * The search is that of Wing and Gong, with Lowe's memory of the sets and states that were tried. States are compared by
 * their description.
 */
export function explainMissingOrder<S, T extends Step<S>>(
  start: S,
  unordered: readonly T[],
  describe: (state: S) => string,
  listMoves: ListMoves<S, T> = listSingleSteps,
): string | null {
  const steps = unordered.toSorted((a, b) => a.from - b.from)
  const positions = new Map(steps.map((step, at) => [step, at]))
  const placed = new Set<T>()
  const tried = new Set<string>()
  let deepest = { placed: -1, reason: '' }
  const required = steps.filter((step) => !step.isOptional).length
  let left = required

  const openFrame = (
    state: S,
    move: readonly T[],
    from: Pick<Frame<S, T>, 'first' | 'last' | 'latest'>,
  ): Frame<S, T> => {
    const latest = Math.max(from.latest, ...move.map((step) => step.from))
    const last = Math.max(from.last, ...move.map((step) => positions.get(step)!))
    const isOver = (step: T): boolean => placed.has(step) || (step.isOptional && step.to < latest)
    let { first } = from
    while (first < steps.length && isOver(steps[first]!)) first++
    const open = listOpen(steps, first, isOver)
    return {
      state,
      placed: move,
      first,
      last,
      latest,
      open,
      moves: listMoves(state, open)[Symbol.iterator](),
    }
  }
  const countRequired = (move: readonly T[]): number => move.filter((step) => !step.isOptional).length

  const stack = [openFrame(start, [], { first: 0, last: -1, latest: -Infinity })]
  const begun = process.cpuUsage()
  const isInTime = (): boolean => process.cpuUsage(begun).user < MAX_CPU_MS * 1000
  for (let tries = 0; tries < MAX_TRIES && isInTime(); tries++) {
    const frame = stack.at(-1)
    if (!frame) return `The answers fit no order. ${deepest.reason}.`
    if (left === 0) return null
    if (required - left > deepest.placed) {
      const next = frame.open.slice(0, 4).map(({ name }) => name)
      const reason = `After ${describe(frame.state)} none of these can follow: ${next.join('; ')}`
      deepest = { placed: required - left, reason }
    }
    const { value: move, done } = frame.moves.next()
    if (done) {
      stack.pop()
      for (const step of frame.placed) placed.delete(step)
      left += countRequired(frame.placed)
      continue
    }
    const state = follow(frame.state, move)
    if (state === null) continue
    for (const step of move) placed.add(step)
    const opened = openFrame(state.after, move, frame)
    const behind = steps.slice(opened.first + 1, opened.last + 1)
    const key = `${opened.first} ${behind.map((step) => Number(placed.has(step))).join('')} ${describe(state.after)}`
    if (tried.has(key)) {
      for (const step of move) placed.delete(step)
      continue
    }
    tried.add(key)
    left -= countRequired(move)
    stack.push(opened)
  }
  return `No order was found in ${MAX_TRIES} tries or ${MAX_CPU_MS / 1000} seconds. ${deepest.reason}.`
}

function follow<S, T extends Step<S>>(state: S, move: readonly T[]): { after: S } | null {
  let after = state
  for (const step of move) {
    if (!step.canFollow(after)) return null
    after = step.apply(after)
  }
  return { after }
}

function listSingleSteps<S, T extends Step<S>>(_state: S, open: readonly T[]): T[][] {
  return open.map((step) => [step])
}

/** The steps that may come next: they begin before every other one that is left has ended. */
function listOpen<S, T extends Step<S>>(
  steps: readonly T[],
  first: number,
  isOver: (step: T) => boolean,
): T[] {
  const open: T[] = []
  let end = Infinity
  for (let at = first; at < steps.length && steps[at]!.from <= end; at++) {
    const step = steps[at]!
    if (isOver(step)) continue
    open.push(step)
    if (!step.isOptional) end = Math.min(end, step.to)
  }
  return open
    .filter(({ from }) => from <= end)
    .toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional) || a.to - b.to)
}
