import { readBooksHistory } from '#contract/console/books.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useRead } from '../../api/queries.ts'
import { Chart, type Series } from '../../charts/chart.tsx'
import { formatShort } from '../../charts/format.ts'
import { formatEndFor } from '../../charts/format-at.ts'
import { toNumber } from '../../exact.ts'
import { Panel, PanelGrid } from '../../ui/panel.tsx'
import { shownSpan, SpanChoice, useSpan } from '../../ui/span-choice.tsx'
import { Read } from '../../ui/state.tsx'

type Point = ConsoleReply<typeof readBooksHistory>['points'][number]

const EVERY_MS = 60_000
const text = pageMessages.books

/** Solvency, emission and burns over time. */
export function BooksCharts() {
  const [span, setSpan] = useSpan()
  const read = useRead(readBooksHistory, { span }, { everyMs: EVERY_MS, showsPrevious: true })
  const { isPlaceholderData: isReading } = read
  const formatAt = formatEndFor(shownSpan(span, isReading))
  return (
    <Panel title={text.charts} actions={<SpanChoice {...{ span, isReading }} onChange={setSpan} />}>
      <Read of={read}>{({ points }) => <Charts points={points} formatAt={formatAt} />}</Read>
    </Panel>
  )
}

function Charts({ points, formatAt }: { points: readonly Point[]; formatAt: (at: string) => string }) {
  const seriesOf = (name: string, from: readonly Point[], read: (point: Point) => string): Series => ({
    name,
    points: from.map((point) => ({ at: point.at, value: toNumber(read(point)) })),
  })
  // An hour without a reserve snapshot has no value, which is not the same as none.
  const checked = points.filter(({ tokens, owed }) => tokens !== null && owed !== null)
  const known = points.filter(({ pool }) => pool !== null)
  const solvency = [
    seriesOf(text.tokens, checked, ({ tokens }) => tokens ?? '0'),
    seriesOf(text.owed, checked, ({ owed }) => owed ?? '0'),
  ]
  const surplus: Series = {
    name: text.surplusChart,
    points: checked.map(({ at, tokens, owed }) => ({
      at,
      value: toNumber(tokens ?? '0') - toNumber(owed ?? '0'),
    })),
  }
  const emission = [
    seriesOf(text.emittedShort, points, ({ emitted }) => emitted),
    seriesOf(text.burnedShort, points, ({ burned }) => burned),
    seriesOf(text.spentShort, points, ({ spent }) => spent),
  ]
  const shared = { format: formatShort, formatAt }
  return (
    <PanelGrid size="wide">
      <Chart {...shared} title={text.solvency} kind="line" series={solvency} fitted />
      <Chart {...shared} title={text.surplusChart} kind="line" series={[surplus]} />
      <Chart {...shared} title={text.emission} kind="bar" series={emission} />
      <Chart
        {...shared}
        title={text.poolChart}
        kind="line"
        series={[seriesOf(text.pool, known, ({ pool }) => pool ?? '0')]}
      />
    </PanelGrid>
  )
}
