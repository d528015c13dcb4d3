import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OwnerChip } from './owner-chip.tsx'
import { StateBadge } from './state-badge.tsx'

test('the text beside an icon that changes with the owner of land is alone in an element', () => {
  const badge = renderToStaticMarkup(<StateBadge state="owned" />)
  expect(badge).toMatch(/<\/svg><span>Owned<\/span><\/span>$/)
  const chip = renderToStaticMarkup(<OwnerChip parcel={{ ownerWallet: null }} state="available" />)
  expect(chip).toMatch(/<\/svg><span>Free<\/span><\/span>$/)
})
