import { readActivity } from '#contract/console/today.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { formatCount } from '#game/cotton.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useRead } from '../../api/queries.ts'
import { Chart, type Series } from '../../charts/chart.tsx'
import { formatShort } from '../../charts/format.ts'
import { formatFor } from '../../charts/format-at.ts'
import { toNumber } from '../../exact.ts'
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
  const volume = seriesOf(text.volume, (point) => toNumber(point.volume))
  const newPlayers = seriesOf(text.newPlayers, (point) => point.newPlayers)
  const land = [
    seriesOf(text.fromGame, ({ parcels }) => parcels),
    seriesOf(text.fromPlayers, ({ resales }) => resales),
  ]
  const deposited = seriesOf(text.deposited, (point) => toNumber(point.deposited))
  const withdrawn = seriesOf(text.withdrawn, (point) => toNumber(point.withdrawn))
  const shared = { format: formatShort, formatAt }
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
      <Chart {...shared} title={text.volume} kind="bar" series={[volume]} summary={total(volume)} />
      <Chart {...shared} title={text.deposited} kind="bar" series={[deposited]} summary={total(deposited)} />
      <Chart {...shared} title={text.withdrawn} kind="bar" series={[withdrawn]} summary={total(withdrawn)} />
    </PanelGrid>
  )
}
