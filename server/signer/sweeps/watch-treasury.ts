import { baseUnits, type Cotton } from '#game/cotton.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import type { TreasuryBounds, WithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import type { StepDeps, TreasuryAddresses } from '../step-deps.ts'

/** The name of the setting that stores what the signer has recorded of the treasury. */
export const TREASURY_STATE = 'treasury_state'

/**
 * tokens_low, sol_low: top up the treasury, otherwise payouts wait. tokens_high, sol_high: more than an online machine
 * should hold; move the rest to cold storage.
 */
export type TreasuryAlarm = 'tokens_low' | 'tokens_high' | 'sol_low' | 'sol_high'

export type TreasuryState = {
  address: string
  tokens: Cotton
  lamports: bigint
  alarms: TreasuryAlarm[]
  at: Date
}

const ALARM_MESSAGES: Record<TreasuryAlarm, string> = {
  tokens_low: 'the treasury is low on tokens: top it up',
  tokens_high: 'the treasury is above its token cap: move tokens to cold storage',
  sol_low: 'the treasury is low on SOL, which pays fees and token accounts: top it up',
  sol_high: 'the treasury is above its SOL cap: move SOL to cold storage',
}

type StoredState = { address: string; tokens: string; lamports: string; alarms: TreasuryAlarm[] }

const readState = sql({
  name: 'treasury-read-state',
  params: { name: 'text' },
  row: rowOf<{ value: StoredState; at: Date }>(),
  text: ({ name }) => `select value, at from settings where name = ${name}`,
})

const writeState = sql({
  name: 'treasury-write-state',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz' },
  text: ({ name, value, at }) => `insert into settings (name, value, at) values (${name}, ${value}, ${at})
    on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

/** The bounds that the balance of the treasury's wallet violates. */
export function alarmsFor(
  balance: { tokens: bigint; lamports: bigint },
  { tokens, lamports }: TreasuryBounds,
): TreasuryAlarm[] {
  const found: [TreasuryAlarm, boolean][] = [
    ['tokens_low', balance.tokens < tokens.floor],
    ['tokens_high', tokens.cap > 0n && balance.tokens > tokens.cap],
    ['sol_low', balance.lamports < lamports.floor],
    ['sol_high', lamports.cap > 0n && balance.lamports > lamports.cap],
  ]
  return found.flatMap(([alarm, applies]) => (applies ? [alarm] : []))
}

type WatchTreasuryDeps = StepDeps & TreasuryAddresses & { settings: Pick<WithdrawalSettings, 'treasury'> }

/** Records the balance of the treasury's wallet for the operator and logs each new alarm once. */
export async function watchTreasury(deps: WatchTreasuryDeps): Promise<void> {
  const { db, chain, clock, log, settings, treasury, treasuryTokens } = deps
  const { address } = treasury
  const tokens = await chain.tokenBalance(treasuryTokens, 'finalized')
  const lamports = await chain.lamports(address, 'finalized')
  // Tokens of the local chain are worth nothing and come from a faucet.
  const alarms = chain.facts.cluster === 'local' ? [] : alarmsFor({ tokens, lamports }, settings.treasury)
  const before = (await readTreasuryState(db))?.alarms ?? []
  for (const alarm of alarms) {
    if (!before.includes(alarm)) log.error({ alarm, tokens, lamports, address }, ALARM_MESSAGES[alarm])
  }
  for (const alarm of before) if (!alarms.includes(alarm)) log.info({ alarm }, 'a treasury alarm has ended')
  const value: StoredState = { address, tokens: String(tokens), lamports: String(lamports), alarms }
  await db.rows(writeState, { name: TREASURY_STATE, value, at: clock.now() })
}

/** The treasury's balance that the signer recorded last; null if it never recorded one. */
export async function readTreasuryState(db: Queryable): Promise<TreasuryState | null> {
  const [row] = await db.rows(readState, { name: TREASURY_STATE })
  if (!row) return null
  const { address, tokens, lamports, alarms } = row.value
  return { address, tokens: baseUnits(BigInt(tokens)), lamports: BigInt(lamports), alarms, at: row.at }
}

/** The operator's message for an alarm. */
export const alarmMessage = (alarm: TreasuryAlarm): string => ALARM_MESSAGES[alarm]
