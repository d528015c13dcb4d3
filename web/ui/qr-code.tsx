import { memo } from 'react'
import { encode } from 'uqr'
import coin from '#web/art/coin.svg'
import styles from './qr-code.module.css'

/** A QR code with the coin in its centre, which the error correction of level H tolerates. */
export const QrCode = memo(function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'H', border: 0 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <div className={styles.qr}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing has no file for an img */}
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path d={path} fill="#3a1d07" />
      </svg>
      <img src={coin} width="44" height="44" alt="" />
    </div>
  )
})
