import { JOURNAL_KINDS } from '#game/credit.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { ChoiceField, Filters, TextField } from '../../ui/field.tsx'
import type { FilterName, JournalFilter } from './use-journal-filter.ts'

const text = pageMessages.ledger
const KINDS = [['', text.anyKind], ...JOURNAL_KINDS.map((kind) => [kind, text.kinds[kind]] as const)] as const

/** Fields for player, kind, days and amounts. An incomplete field filters nothing and says so. */
export function JournalFilters({ filter: { typed, set, valid } }: { filter: JournalFilter }) {
  const errorOf = (name: FilterName, sentence: string): string | null =>
    typed[name] !== '' && valid[name] === undefined ? sentence : null
  const isReversed = valid.from !== undefined && valid.to !== undefined && valid.to < valid.from
  return (
    <Filters label={text.filters}>
      <TextField
        label={text.wallet}
        placeholder={pageMessages.withdrawals.walletHint}
        value={typed.wallet}
        onChange={set.wallet}
        error={errorOf('wallet', pageMessages.withdrawals.walletInvalid)}
      />
      <ChoiceField
        label={text.kind}
        value={KINDS.find(([kind]) => kind === typed.kind)?.[0] ?? ''}
        choices={KINDS}
        onChange={set.kind}
      />
      <TextField
        type="date"
        label={text.from}
        value={typed.from}
        onChange={set.from}
        error={errorOf('from', text.dayInvalid)}
      />
      <TextField
        type="date"
        label={text.to}
        value={typed.to}
        onChange={set.to}
        error={isReversed ? text.daysReversed : errorOf('to', text.dayInvalid)}
      />
      <TextField
        label={text.least}
        inputMode="decimal"
        value={typed.least}
        onChange={set.least}
        error={errorOf('least', text.amountInvalid)}
      />
      <TextField
        label={text.most}
        inputMode="decimal"
        value={typed.most}
        onChange={set.most}
        error={errorOf('most', text.amountInvalid)}
      />
    </Filters>
  )
}
