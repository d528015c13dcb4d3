import { CONTINENT_NAMES, CONTINENTS, type ContinentCode } from '#game/continents.ts'
import { readEarlyMarkets, writeEarlyMarkets } from '#server/market/early-markets.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'

type Change = { what: 'open' | 'close'; continent: ContinentCode; now: Date }

/** Opens the market of one continent before all land is sold, or closes it again, and returns a summary. */
export async function changeMarket(tx: Tx, { what, continent: code, now }: Change): Promise<string> {
  const name = CONTINENT_NAMES[code]
  const before = await readEarlyMarkets(tx)
  const isOpen = before.includes(code)
  if (what === 'open' && isOpen) throw new StartupError(`The market of ${name} is already open early.`)
  if (what === 'close' && !isOpen) throw new StartupError(`The market of ${name} is not open early.`)
  const codes = CONTINENTS.filter((each) => (each === code ? what === 'open' : before.includes(each)))
  await writeEarlyMarkets(tx, { codes, now })
  return what === 'open'
    ? `The market of ${name} is open as long as MARKET_MODE is auto.`
    : `The market of ${name} will open with all others, once everything is sold. Its listings stay and can be cancelled.`
}
