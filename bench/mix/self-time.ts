import type { Profiler } from 'node:inspector'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MICROSECONDS_BETWEEN } from './watch-process.ts'

const LONGEST_US = 2 * MICROSECONDS_BETWEEN

const ROOT = resolve(import.meta.dirname, '../..')

export type SelfTime = {
  place: string
  /** Of the time in which it did anything, 0 to 1. */
  share: number
  /** Its functions, the costliest first. */
  functions: { name: string; share: number }[]
}

/**
 * Where a profiled process spent its time, callees not counted: by file of the product and by package. What Node does
 * for one of them, as to write to a socket, counts as its own; what it does for nobody is Node's.
 */
export function selfTimes(profile: Profiler.Profile): SelfTime[] {
  const spent = new Map<number, number>()
  profile.samples!.forEach((id, at) => {
    // Between two samples that are far apart somebody else had the processor.
    const took = Math.min(profile.timeDeltas![at]!, LONGEST_US)
    spent.set(id, (spent.get(id) ?? 0) + took)
  })
  const ownerOf = owners(profile.nodes)
  const places = new Map<string, Map<string, number>>()
  let busy = 0
  for (const { id, callFrame } of profile.nodes) {
    const time = spent.get(id) ?? 0
    if (time === 0 || callFrame.functionName === '(idle)' || callFrame.url === 'node:inspector') continue
    busy += time
    const place = ownerOf(id)
    const functions = places.get(place) ?? new Map<string, number>()
    places.set(place, functions)
    const name = callFrame.functionName || `line ${callFrame.lineNumber + 1}`
    functions.set(name, (functions.get(name) ?? 0) + time)
  }
  return [...places]
    .map(([place, functions]) => ({
      place,
      share: [...functions.values()].reduce((sum, time) => sum + time, 0) / busy,
      functions: [...functions]
        .map(([name, time]) => ({ name, share: time / busy }))
        .toSorted((a, b) => b.share - a.share),
    }))
    .toSorted((a, b) => b.share - a.share)
}

/** The same by room: `server/platform/http`, `package pg`, Node. */
export function byRoom(times: readonly SelfTime[]): { room: string; share: number }[] {
  const rooms = Map.groupBy(times, ({ place }) => roomOf(place))
  return [...rooms]
    .map(([room, parts]) => ({ room, share: parts.reduce((sum, part) => sum + part.share, 0) }))
    .toSorted((a, b) => b.share - a.share)
}

const roomOf = (place: string): string =>
  place.includes('/') && !place.startsWith('package') ? place.split('/').slice(0, -1).join('/') : place

const GARBAGE = 'garbage'
const NODE = 'Node: its loop, its sockets, HTTP'

/** Whose time a node of the profile is: the nearest caller's that is of the product or of a package. */
function owners(nodes: readonly Profiler.ProfileNode[]): (id: number) => string {
  const parents = new Map<number, Profiler.ProfileNode>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node)
  return (id) => {
    if (byId.get(id)!.callFrame.functionName === '(garbage collector)') return GARBAGE
    for (let node = byId.get(id); node; node = parents.get(node.id)) {
      const { url } = node.callFrame
      if (url.startsWith('file:')) return placeOf(url)
    }
    return NODE
  }
}

function placeOf(url: string): string {
  const path = relative(ROOT, fileURLToPath(url))
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)
  return found ? `package ${found[1]}` : path
}
