import { useState } from 'react'
import { exportJournals, listJournals } from '#contract/console/ledger.ts'
import { JOURNAL_KINDS } from '#game/credit.ts'
import { saveFile } from '#web/api/save-file.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { download } from '../../api/call.ts'
import { sentenceOf } from '../../api/console-error.ts'
import { useList } from '../../api/queries.ts'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { TableFoot } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Read } from '../../ui/state.tsx'
import { choiceOf } from '../../ui/use-filter.ts'
import { JournalFilters } from './journal-filters.tsx'
import { JournalTable } from './journal-table.tsx'
import styles from './ledger.module.css'
import { type JournalFilter, useJournalFilter } from './use-journal-filter.ts'

const text = pageMessages.ledger

/** Every journal, by player, kind, time and amount. */
export function LedgerPage() {
  const filter = useJournalFilter()
  const list = useList(listJournals, queryOf(filter), { everyMs: 30_000 })
  const searchedTo =
    list.lastPage && 'searchedTo' in list.lastPage ? String(list.lastPage.searchedTo ?? '') : ''
  return (
    <Page title={consoleMessages.pages.ledger} text={text.text} actions={<CsvButton filter={filter} />}>
      <Panel title={text.list} flush>
        <JournalFilters filter={filter} />
        <Read of={list}>
          {(journals) => (
            <>
              {journals.length === 0 && list.hasNextPage ? null : (
                <JournalTable journals={journals} caption={text.list} />
              )}
              {searchedTo !== '' && list.hasNextPage ? (
                <p className={styles.searched}>
                  {text.searched} <Moment at={searchedTo} />
                </p>
              ) : null}
              <TableFoot {...list.foot} />
            </>
          )}
        </Read>
      </Panel>
    </Page>
  )
}

/** The filter as the query of a route: only its valid parts. */
function queryOf({ valid }: JournalFilter) {
  const { kind, ...rest } = valid
  return kind === undefined ? rest : { ...rest, kind: choiceOf(JOURNAL_KINDS, kind) }
}

function CsvButton({ filter }: { filter: JournalFilter }) {
  const { press, running } = usePressOnce('journals-csv')
  const [problem, setProblem] = useState<string | null>(null)
  const save = async (): Promise<void> => {
    setProblem(null)
    try {
      saveFile(await download(exportJournals, { query: queryOf(filter) }), 'journals.csv')
    } catch (error) {
      setProblem(sentenceOf(error, consoleMessages.readFailed))
    }
  }
  return (
    <>
      {problem ? (
        <Notice tone="bad" role="alert">
          {problem}
        </Notice>
      ) : null}
      <Button busy={running} onClick={() => press(save)}>
        {running ? text.csvBusy : text.csv}
      </Button>
    </>
  )
}
