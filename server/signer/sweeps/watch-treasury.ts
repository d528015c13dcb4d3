import { baseUnits, type Cotton } from '#game/cotton.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'
import type { TreasuryBounds } from '#server/platform/withdrawal-settings.ts'
import type { Signer } from '../signer.ts'

const TREASURY_STATE = 'treasury_state'

/**
 * tokens_low, sol_low: top it up, payouts will wait. tokens_high, sol_high: more than should be at stake on a machine
 * that is on line: move it to cold storage.
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
  tokens_low: 'the treasury runs out of tokens: top it up',
  tokens_high: 'the treasury holds more tokens than it should: move some to cold storage',
  sol_low: 'the treasury runs out of SOL, which pays for fees and token accounts: top it up',
  sol_high: 'the treasury holds more SOL than it should: move some to cold storage',
}

const readState = sql('treasury-read-state', 'select value, at from settings where name = $1')

const writeState = sql(
  'treasury-write-state',
  `insert into settings (name, value, at) values ($1, $2, $3)
   on conflict (name) do update set value = excluded.value, at = excluded.at`,
)

/** Which bounds the treasury's own wallet is outside of. The local chain has a faucet and nothing to lose: none. */
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

/** Looks at what the treasury's own wallet holds, keeps it for the operator, and raises each new alarm once. */
export async function watchTreasury(signer: Signer): Promise<void> {
  const { db, chain, clock, log, settings, treasury, treasuryTokens } = signer
  const { address } = treasury
  const tokens = await chain.tokenBalance(treasuryTokens, 'finalized')
  const lamports = await chain.lamports(address, 'finalized')
  const alarms = chain.facts.cluster === 'local' ? [] : alarmsFor({ tokens, lamports }, settings.treasury)
  const before = (await readTreasuryState(db))?.alarms ?? []
  for (const alarm of alarms) {
    if (!before.includes(alarm)) log.error({ alarm, tokens, lamports, address }, ALARM_MESSAGES[alarm])
  }
  for (const alarm of before) if (!alarms.includes(alarm)) log.info({ alarm }, 'this alarm is over')
  const value = { address, tokens: String(tokens), lamports: String(lamports), alarms }
  await db.rows(writeState, [TREASURY_STATE, JSON.stringify(value), clock.now()])
}

/** What the treasury's own wallet held when the signer last looked; null where it never did. */
export async function readTreasuryState(db: Queryable): Promise<TreasuryState | null> {
  type StoredState = { address: string; tokens: string; lamports: string; alarms: TreasuryAlarm[] }
  const [row] = await db.rows<{ value: StoredState; at: Date }>(readState, [TREASURY_STATE])
  if (!row) return null
  const { address, tokens, lamports, alarms } = row.value
  return { address, tokens: baseUnits(BigInt(tokens)), lamports: BigInt(lamports), alarms, at: row.at }
}

/** An alarm in words for the operator. */
export const alarmMessage = (alarm: TreasuryAlarm): string => ALARM_MESSAGES[alarm]
