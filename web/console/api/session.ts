import { hasRight, RIGHTS, type Right } from '#contract/console/rights.ts'
import { createStore, useStore } from '#web/store.ts'

export type Operator = { wallet: string; name: string; rights: readonly Right[] }

export type EndReason = 'logged-out' | 'expired' | 'idle' | 'account-switched' | 'removed'

export type Session = {
  token: string | null
  operator: Operator | null
  /** How long the session lasts without use. */
  idleMs: number
  /** Why the last session ended. */
  ended: EndReason | null
}

const KEY = 'consoleSession'
const NONE: Session = { token: null, operator: null, idleMs: 30 * 60_000, ended: null }

/** The session is this tab's: it is not in a cookie, so that no other site can use it. */
export const session = createStore<Session>(readStored())

function readStored(): Session {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return isSession(stored) ? stored : NONE
  } catch {
    return NONE
  }
}

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null || !('token' in value) || !('operator' in value))
    return false
  const { token, operator } = value
  if (typeof token !== 'string' || typeof operator !== 'object' || operator === null) return false
  return (
    'rights' in operator &&
    Array.isArray(operator.rights) &&
    operator.rights.every((right: unknown) => RIGHTS.some((each) => each === right))
  )
}

export function startSession({
  token,
  operator,
  idleMs,
}: Pick<Session, 'idleMs'> & { token: string; operator: Operator }): void {
  setSession({ token, operator, idleMs, ended: null })
}

/** The operators' file can change during a session: a removed right takes effect on the pages too. */
export function updateOperator(operator: Operator): void {
  const current = session.get()
  if (current.token === null) return
  setSession({ ...current, operator })
}

/** In a browser that blocks its storage, the session ends at a reload. */
function setSession(next: Session): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {}
  session.set(next)
}

export function endSession(ended: EndReason): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {}
  session.set({ ...NONE, ended })
}

/** Whether the operator of this session has a right. */
export function useRight(right: Right): boolean {
  return hasRight(useStore(session).operator?.rights ?? [], right)
}
