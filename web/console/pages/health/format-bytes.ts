import { NUMBER_LOCALE } from '#web/messages/locale.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `12.5 MB`, in steps of 1,000. */
export function formatBytes(bytes: number): string {
  const size = Math.abs(bytes)
  const step = size < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(size) / 3))
  return new Intl.NumberFormat(NUMBER_LOCALE, {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** step)
}
