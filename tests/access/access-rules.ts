import type { RefusalCode } from '#contract/refusals.ts'
import type { Route } from '#contract/route.ts'
import { type RouteName, ROUTES } from '#contract/routes.ts'

/** Who calls a route for a player, or for what belongs to that player. */
export const CALLERS = ['nobody', 'ended session', 'operator', 'another player', 'frozen', 'owner'] as const

export type Caller = (typeof CALLERS)[number]

/** The refusals that tell a caller that something is not theirs. */
export const ACCESS_REFUSALS: ReadonlySet<string> = new Set<RefusalCode>([
  'not_authenticated',
  'wallet_of_another',
  'wallet_frozen',
  'worker_not_found',
  'parcel_not_yours',
  'listing_not_yours',
  'withdrawal_not_found',
  'session_not_found',
  'transaction_not_ours',
  'signature_failed',
])

/** Routes that name something by its id, and the refusal for everybody whose it is not. */
const REFUSES_FOREIGN: Partial<Record<RouteName, RefusalCode>> = {
  claimWorker: 'worker_not_found',
  listParcel: 'parcel_not_yours',
  cancelListing: 'listing_not_yours',
  requestWithdrawal: 'signature_failed',
  cancelWithdrawal: 'withdrawal_not_found',
  endSession: 'session_not_found',
  submitDeposit: 'transaction_not_ours',
}

/** Actions that a frozen wallet may take: they give no value away. */
const OPEN_WHILE_FROZEN: ReadonlySet<RouteName> = new Set([
  'cancelListing',
  'cancelWithdrawal',
  'celebrateMilestones',
])

/** Whether a call names the wallet that it acts for, besides its session. */
export const namesWallet = (route: Route): boolean =>
  (route.refuses as readonly string[]).includes('wallet_of_another') && route.method === 'POST'

/** The refusal of a caller by the declaration of the route. Null: the call is served, with the caller's own data only. */
export function refusalFor(name: RouteName, caller: Caller): RefusalCode | null {
  const route: Route = ROUTES[name]
  if (route.auth === 'anyone') return null
  // An operator's session belongs to the console. Here it is no session.
  if (caller === 'ended session' || caller === 'operator') return 'not_authenticated'
  if (caller === 'nobody') return route.auth === 'player' ? 'not_authenticated' : null
  if (caller === 'another player') {
    if (namesWallet(route)) return 'wallet_of_another'
    return REFUSES_FOREIGN[name] ?? null
  }
  if (caller === 'frozen')
    return (route.refuses as readonly string[]).includes('wallet_frozen') ? 'wallet_frozen' : null
  return null
}

/** The refusal of another player who names their own wallet, and the owner's object. Null if the route takes no object. */
export const foreignRefusalFor = (name: RouteName): RefusalCode | null => REFUSES_FOREIGN[name] ?? null

/** Actions that neither refuse a frozen wallet nor are known to be harmless. */
export const actionsWithoutFreeze = (): string[] =>
  Object.entries(ROUTES)
    .filter(([name, { keyed, refuses }]) => {
      const refusesFrozen = (refuses as readonly string[]).includes('wallet_frozen')
      return keyed && refusesFrozen === OPEN_WHILE_FROZEN.has(name as RouteName)
    })
    .map(([name]) => name)
