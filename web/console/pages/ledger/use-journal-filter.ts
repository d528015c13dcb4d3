import { JOURNAL_KINDS } from '#game/credit.ts'
import { toDecimal } from '#game/cotton.ts'
import { parseAmount } from '#web/messages/amount.ts'
import { useFilter, walletOf } from '../../ui/use-filter.ts'

const NAMES = ['wallet', 'kind', 'from', 'to', 'least', 'most'] as const
export type FilterName = (typeof NAMES)[number]

export type JournalFilter = {
  typed: Readonly<Record<FilterName, string>>
  set: Readonly<Record<FilterName, (value: string) => void>>
  /** What of it is complete and valid. */
  valid: { wallet?: string; kind?: string; from?: string; to?: string; least?: string; most?: string }
}

/** A day that a journal can have. The console refuses others, such as one of 0202 while its year is being typed. */
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && text >= '2020' && text < '2200'

/** The filter of the ledger, from the address of the page. */
export function useJournalFilter(): JournalFilter {
  const [wallet, setWallet] = useFilter('wallet')
  const [kind, setKind] = useFilter('kind')
  const [from, setFrom] = useFilter('from')
  const [to, setTo] = useFilter('to')
  const [least, setLeast] = useFilter('least')
  const [most, setMost] = useFilter('most')
  const exactOf = (text: string): string | undefined => {
    const amount = parseAmount(text)
    return amount === null ? undefined : toDecimal(amount)
  }
  const read = {
    wallet: walletOf(wallet),
    kind: JOURNAL_KINDS.find((each) => each === kind),
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
    least: exactOf(least),
    most: exactOf(most),
  }
  return {
    typed: { wallet, kind, from, to, least, most },
    set: { wallet: setWallet, kind: setKind, from: setFrom, to: setTo, least: setLeast, most: setMost },
    valid: Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)),
  }
}
