import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import { type Queryable, sql, type Tx } from '#server/platform/db/db.ts'

/** The setting that holds the codes of the continents whose market the operator has opened early. */
export const EARLY_MARKETS_SETTING = 'market_opened_early'

const readSetting = sql('market-read-early', 'select value from settings where name = $1')

const writeSetting = sql(
  'market-write-early',
  `insert into settings (name, value, at) values ($1, $2, $3)
   on conflict (name) do update set value = excluded.value, at = excluded.at`,
)

/** The codes in a setting's value, in the order of the game; what is none is left out. */
export const parseContinents = (value: unknown): ContinentCode[] =>
  CONTINENTS.filter((code) => Array.isArray(value) && value.includes(code))

export async function readEarlyMarkets(tx: Queryable): Promise<ContinentCode[]> {
  const [row] = await tx.rows<{ value: unknown }>(readSetting, [EARLY_MARKETS_SETTING])
  return parseContinents(row?.value)
}

/** Every api process goes by it from its next question on; it counts while MARKET_MODE is `auto`. */
export async function writeEarlyMarkets(
  tx: Tx,
  { codes, now }: { codes: readonly ContinentCode[]; now: Date },
): Promise<void> {
  await tx.rows(writeSetting, [EARLY_MARKETS_SETTING, JSON.stringify(codes), now])
}
