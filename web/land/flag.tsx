import { flagUrl } from '#web/art/flags/flag-url.ts'
import { classNames } from '#web/ui/class-names.ts'
import { LazyImage } from '#web/ui/lazy-image.tsx'
import styles from './flag.module.css'

type FlagProps = { countryCode: string; alt: string; className?: string }

/** The flag of a country, on its land or in a list. Nothing for land without one. */
export function Flag({ countryCode, alt, className }: FlagProps) {
  const src = flagUrl(countryCode)
  if (!src) return null
  return (
    <LazyImage
      className={classNames(styles.flag, className)}
      src={src}
      width="38"
      height="29"
      alt={alt}
      title={alt || undefined}
    />
  )
}
