import '#web/api/browser-stub.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSoundSwitch, onFirstGesture } from './sound-switch.ts'

beforeEach(() => localStorage.clear())

/** The switch at the next visit. */
const visit = () => createSoundSwitch(localStorage)

describe('the switch', () => {
  test('is off until a player turns it on', () => {
    expect(visit().store.get().state).toBe('off')
    expect(localStorage.getItem('musicStarted')).toBeNull()
  })

  test('turned on, it plays, stores that, and waits for a gesture at the next visit', () => {
    const { store, turn } = visit()
    turn(true)
    expect(store.get().state).toBe('on')
    expect(localStorage.getItem('musicStarted')).toBe('true')
    expect(visit().store.get().state).toBe('waiting')
  })

  test('turned off, it stays off at the next visit', () => {
    const { store, turn } = visit()
    turn(true)
    turn(false)
    expect(store.get().state).toBe('off')
    expect(localStorage.getItem('musicStarted')).toBe('false')
    expect(visit().store.get().state).toBe('off')
  })

  test.each(['on', 'waiting'])('turned off in another tab while it is %s, it is off here, too', (state) => {
    visit().turn(true)
    const { store, turn } = visit()
    if (state === 'on') turn(true)
    const change = (key: string, newValue: string) =>
      window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
    change('musicVolume', '0')
    change('musicStarted', 'true')
    expect(store.get().state).toBe(state)
    change('musicStarted', 'false')
    expect(store.get().state).toBe('off')
  })

  test('a sound that fails is off, and is tried again at the next visit', () => {
    const { store, turn, fail } = visit()
    turn(true)
    fail()
    expect(store.get().state).toBe('off')
    expect(visit().store.get().state).toBe('waiting')
  })
})

describe('the volume', () => {
  test('of music and effects is stored apart for the next visit, including zero', () => {
    const { store, setVolume } = visit()
    setVolume('music', 0)
    expect(store.get().volumes).toEqual({ music: 0, effects: 0.8 })
    setVolume('effects', 0.35)
    expect(store.get().volumes).toEqual({ music: 0, effects: 0.35 })
    expect(visit().store.get().volumes).toEqual({ music: 0, effects: 0.35 })
    expect(localStorage.getItem('musicVolume')).toBe('0')
  })

  test.each(['loud', '-1', '7', 'NaN', ''])('is never %j, whatever is stored', (stored) => {
    localStorage.setItem('musicVolume', stored)
    expect(visit().store.get().volumes.music).toBe(0.8)
  })
})

describe('the first gesture', () => {
  function listening(): { page: EventTarget; starts: () => number } {
    const page = new EventTarget()
    let count = 0
    onFirstGesture(page, () => (count += 1))
    return { page, starts: () => count }
  }

  test.each(['click', 'keydown', 'touchend'])('a %s starts the sound once (S-70)', (gesture) => {
    const { page, starts } = listening()
    page.dispatchEvent(new Event(gesture))
    expect(starts()).toBe(1)
    for (const later of ['click', 'keydown', 'touchend']) page.dispatchEvent(new Event(later))
    expect(starts()).toBe(1)
  })

  test('moving the pointer, scrolling and focusing do not start the sound', () => {
    const { page, starts } = listening()
    for (const event of ['pointermove', 'scroll', 'focus', 'touchstart']) page.dispatchEvent(new Event(event))
    expect(starts()).toBe(0)
  })
})
