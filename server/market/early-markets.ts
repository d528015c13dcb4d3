import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import { type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'

/** The setting that holds the codes of the continents whose market the operator has opened early. */
export const EARLY_MARKETS_SETTING = 'market_opened_early'

const readSetting = sql({
  name: 'market-read-early',
  params: { name: 'text' },
  row: rowOf<{ value: unknown }>(),
  text: ({ name }) => `select value from settings where name = ${name}`,
})

const writeSetting = sql({
  name: 'market-write-early',
  params: { name: 'text', codes: 'jsonb', now: 'timestamptz' },
  text: ({ name, codes, now }) =>
    `insert into settings (name, value, at) values (${name}, ${codes}, ${now})
     on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

/** The continent codes in a setting's value, in the order of `CONTINENTS`. Other values are ignored. */
export const parseContinents = (value: unknown): ContinentCode[] =>
  CONTINENTS.filter((code) => Array.isArray(value) && value.includes(code))

export async function readEarlyMarkets(db: Queryable): Promise<ContinentCode[]> {
  const [row] = await db.rows(readSetting, { name: EARLY_MARKETS_SETTING })
  return parseContinents(row?.value)
}

/** Takes effect at the next request of every api process, while MARKET_MODE is `auto`. */
export async function writeEarlyMarkets(
  tx: Tx,
  { codes, now }: { codes: readonly ContinentCode[]; now: Date },
): Promise<void> {
  await tx.rows(writeSetting, { name: EARLY_MARKETS_SETTING, codes: JSON.stringify(codes), now })
}
