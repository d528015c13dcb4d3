import { afterEach, expect, test, vi } from 'vitest'
import { registerDialog } from './open-dialogs.ts'

afterEach(() => vi.unstubAllGlobals())

test('a page does not become wider while a dialog stops its scrolling, and returns to what it was', () => {
  const style = { overflow: '', scrollbarGutter: '' }
  const openInWindow = (innerWidth: number, clientWidth: number): (() => void) => {
    vi.stubGlobal('window', { innerWidth })
    vi.stubGlobal('document', { documentElement: { style, clientWidth } })
    return registerDialog('lower')
  }
  const closeLower = openInWindow(1_000, 985)
  expect(style).toEqual({ overflow: 'hidden', scrollbarGutter: 'stable' })
  const closeUpper = registerDialog('upper')
  closeLower()
  expect(style).toEqual({ overflow: 'hidden', scrollbarGutter: 'stable' })
  closeUpper()
  expect(style).toEqual({ overflow: '', scrollbarGutter: '' })

  // Without a scrollbar in sight there is no place to leave free.
  const close = openInWindow(1_000, 1_000)
  expect(style).toEqual({ overflow: 'hidden', scrollbarGutter: '' })
  close()
})
