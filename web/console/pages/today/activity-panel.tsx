import { readActivity } from '#contract/console/today.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { formatCount } from '#game/cotton.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useRead } from '../../api/queries.ts'
import { Chart, type Series } from '../../charts/chart.tsx'
import { formatShort } from '../../charts/format.ts'
import { formatFor } from '../../charts/format-at.ts'
import { formatTotal, toNumber } from '../../exact.ts'
import { Panel, PanelGrid } from '../../ui/panel.tsx'
import { shownSpan, SpanChoice, useSpan } from '../../ui/span-choice.tsx'
import { Read } from '../../ui/state.tsx'

type Point = ConsoleReply<typeof readActivity>['points'][number]

const EVERY_MS = 60_000
const text = pageMessages.today

/** Players, claims, hires, land and volume over time. */
export function ActivityPanel() {
  const [span, setSpan] = useSpan()
  const read = useRead(readActivity, { span }, { everyMs: EVERY_MS, showsPrevious: true })
  const { isPlaceholderData: isReading } = read
  const formatAt = formatFor(shownSpan(span, isReading))
  return (
    <Panel title={text.activity} actions={<SpanChoice {...{ span, isReading }} onChange={setSpan} />}>
      <Read of={read}>{({ points }) => <Charts points={points} formatAt={formatAt} />}</Read>
    </Panel>
  )
}

function Charts({ points, formatAt }: { points: readonly Point[]; formatAt: (at: string) => string }) {
  const seriesOf = (name: string, read: (point: Point) => number): Series => ({
    name,
    points: points.map((point) => ({ at: point.at, value: read(point) })),
  })
  const total = (...series: readonly Series[]): string => {
    const sum = series.flatMap((each) => each.points).reduce((all, { value }) => all + value, 0)
    return consoleMessages.chart.total(formatCount(sum))
  }
  const claims = seriesOf(text.claims, ({ claims: count }) => count)
  const hires = seriesOf(text.hires, ({ hires: count }) => count)
  const newPlayers = seriesOf(text.newPlayers, (point) => point.newPlayers)
  const land = [
    seriesOf(text.fromGame, ({ parcels }) => parcels),
    seriesOf(text.fromPlayers, ({ resales }) => resales),
  ]
  const shared = { format: formatShort, formatAt }
  const amountChart = (title: string, read: (point: Point) => string) => (
    <Chart
      {...shared}
      title={title}
      kind="bar"
      series={[seriesOf(title, (point) => toNumber(read(point)))]}
      summary={consoleMessages.chart.total(formatTotal(points.map(read)))}
    />
  )
  return (
    <PanelGrid size="small">
      <Chart
        {...shared}
        title={text.players}
        kind="line"
        series={[seriesOf(text.players, ({ players }) => players)]}
      />
      <Chart
        {...shared}
        title={text.newPlayers}
        kind="bar"
        series={[newPlayers]}
        summary={total(newPlayers)}
      />
      <Chart {...shared} title={text.claims} kind="bar" series={[claims]} summary={total(claims)} />
      <Chart {...shared} title={text.hires} kind="bar" series={[hires]} summary={total(hires)} />
      <Chart {...shared} title={text.land} kind="bar" series={land} summary={total(...land)} />
      {amountChart(text.volume, (point) => point.volume)}
      {amountChart(text.deposited, (point) => point.deposited)}
      {amountChart(text.withdrawn, (point) => point.withdrawn)}
    </PanelGrid>
  )
}
