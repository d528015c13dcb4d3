import { Bar } from './bar.tsx'

/** Above this share sold (percent) the bar is red. */
const NEARLY_SOLD_OUT_ABOVE = 90

type SupplyBarProps = { percent: number; caption: string; label: string; className?: string }

export function SupplyBar(props: SupplyBarProps) {
  return <Bar size="medium" tone={props.percent > NEARLY_SOLD_OUT_ABOVE ? 'red' : 'sun'} moving {...props} />
}
