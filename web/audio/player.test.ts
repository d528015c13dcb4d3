import { expect, test, vi } from 'vitest'
import { createStore } from '#web/store.ts'
import { createPlayer } from './player.ts'
import type { Sound } from './sound-switch.ts'

vi.mock('./load-sound.ts', () => ({ loadSound: () => new Promise(() => undefined) }))

test('sound that a phone has stopped continues at the next press, if it is on', ({ onTestFinished }) => {
  const page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  vi.stubGlobal(
    'Element',
    class {
      closest = () => null
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const resume = vi.fn(() => Promise.reject(new Error('There was no gesture.')))
  const createGain = () => ({ gain: { setTargetAtTime: () => undefined }, connect: () => undefined })
  const context = { createGain, resume, suspend: () => Promise.resolve() } as unknown as AudioContext
  const sound = createStore<Sound>({ state: 'on', volumes: { music: 1, effects: 1 } })
  createPlayer(context, { sound, fail: () => undefined })
  expect(resume).toHaveBeenCalledTimes(1)
  page.dispatchEvent(new Event('click'))
  expect(resume).toHaveBeenCalledTimes(2)
  sound.set({ ...sound.get(), state: 'off' })
  page.dispatchEvent(new Event('click'))
  expect(resume).toHaveBeenCalledTimes(2)
})
