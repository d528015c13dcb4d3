import buyM4a from './buy.m4a'
import buyOpus from './buy.opus'
import claimM4a from './claim.m4a'
import claimOpus from './claim.opus'
import musicM4a from './music.m4a'
import musicOpus from './music.opus'
import refuseM4a from './refuse.m4a'
import refuseOpus from './refuse.opus'
import soldM4a from './sold.m4a'
import soldOpus from './sold.opus'
import tapM4a from './tap.m4a'
import tapOpus from './tap.opus'

/** The files of each sound, the preferred format first. */
const FILES = {
  music: [musicOpus, musicM4a],
  claim: [claimOpus, claimM4a],
  buy: [buyOpus, buyM4a],
  sold: [soldOpus, soldM4a],
  refuse: [refuseOpus, refuseM4a],
  tap: [tapOpus, tapM4a],
} as const

export type SoundName = keyof typeof FILES

const OPUS = 'audio/ogg; codecs=opus'

const loaded = new Map<SoundName, Promise<AudioBuffer>>()

/** Fetches and decodes a sound once. Rejects when the network fails or the browser can decode neither format. */
export function loadSound(context: BaseAudioContext, name: SoundName): Promise<AudioBuffer> {
  const existing = loaded.get(name)
  if (existing) return existing
  const loading = load(context, name)
  loaded.set(name, loading)
  loading.catch(() => loaded.delete(name))
  return loading
}

async function load(context: BaseAudioContext, name: SoundName): Promise<AudioBuffer> {
  const [opus, m4a] = FILES[name]
  const playsOpus = document.createElement('audio').canPlayType(OPUS) !== ''
  const [first, second] = playsOpus ? [opus, m4a] : [m4a, opus]
  const bytes = await fetchBytes(first)
  // Some browsers claim to play Opus but cannot decode it.
  return context.decodeAudioData(bytes).catch(async () => context.decodeAudioData(await fetchBytes(second)))
}

async function fetchBytes(file: string): Promise<ArrayBuffer> {
  const response = await fetch(file)
  if (!response.ok) throw new Error(`The sound could not be fetched: status ${response.status}`)
  return response.arrayBuffer()
}
