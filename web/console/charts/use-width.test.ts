import { afterEach, expect, test, vi } from 'vitest'
import { watchWidth } from './use-width.ts'

/** Changes the width of the observed element, as a browser reports it: after a frame was shown. */
let resizeTo: (width: number) => void

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a chart has the width of its place in the first frame, and follows it until it is removed', () => {
  const disconnect = vi.fn()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn()
      disconnect = disconnect
      constructor(report: (entries: unknown[]) => void) {
        resizeTo = (width) => report([{ contentRect: { width } }])
      }
    },
  )
  const widths: number[] = []
  const element = { getBoundingClientRect: () => ({ width: 341.6 }) } as unknown as Element
  const stop = watchWidth(element, (width) => widths.push(width))
  expect(widths).toEqual([342])
  resizeTo(600.2)
  // While it is hidden.
  resizeTo(0)
  expect(widths).toEqual([342, 600])
  stop()
  expect(disconnect).toHaveBeenCalled()
})
