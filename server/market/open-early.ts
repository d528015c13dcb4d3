import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

/** The setting that holds the codes of the continents whose market the operator has opened early. */
export const OPENED_EARLY = 'market_opened_early'

const read = sql('market-read-early', 'select value from settings where name = $1')

const write = sql(
  'market-write-early',
  `insert into settings (name, value, at) values ($1, $2, $3)
   on conflict (name) do update set value = excluded.value, at = excluded.at`,
)

/** The codes in a setting's value, in the order of the game; what is none is left out. */
export const continentsIn = (value: unknown): ContinentCode[] =>
  CONTINENTS.filter((code) => Array.isArray(value) && value.includes(code))

export async function readOpenedEarly(tx: Tx): Promise<ContinentCode[]> {
  const [row] = await tx.rows<{ value: unknown }>(read, [OPENED_EARLY])
  return continentsIn(row?.value)
}

/** Every api process goes by it from its next question on; it counts while MARKET_MODE is `auto`. */
export async function writeOpenedEarly(
  tx: Tx,
  { codes, now }: { codes: readonly ContinentCode[]; now: Date },
): Promise<void> {
  await tx.rows(write, [OPENED_EARLY, JSON.stringify(codes), now])
}
