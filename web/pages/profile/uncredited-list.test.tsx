import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { uncreditedMessages } from '#web/messages/en-uncredited.ts'
import { UncreditedList } from './uncredited-list.tsx'

const read = vi.hoisted(() => ({ asset: '' }))

vi.mock('./use-uncredited.ts', () => ({
  useUncredited: () => ({
    data: [
      {
        signature: 's',
        asset: read.asset,
        mint: null,
        amount: '1500000000',
        state: 'unclaimed',
        why: null,
        at: '2026-11-20T09:12:00.000Z',
      },
    ],
    isError: false,
    hasNextPage: false,
  }),
}))

function renderAsset(asset: string): string {
  read.asset = asset
  return renderToStaticMarkup(<UncreditedList />)
}

test('an asset that only a newer server knows is not called SOL', () => {
  expect(renderAsset('sol')).toContain(`<b>${uncreditedMessages.sol('1.5')}</b>`)
  expect(renderAsset('nft')).toContain(`<b>${uncreditedMessages.otherToken}</b>`)
})
