import { Bar } from './bar.tsx'

/** Above this share (percent) a supply is nearly sold out. */
const HOT_ABOVE = 90

type SupplyBarProps = { percent: number; caption: string; label: string; className?: string | undefined }

export function SupplyBar(props: SupplyBarProps) {
  return <Bar size="medium" tone={props.percent > HOT_ABOVE ? 'red' : 'sun'} moving {...props} />
}
