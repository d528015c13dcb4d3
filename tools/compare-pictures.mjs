/** @import { Page } from '@playwright/test' */

/** Both pictures are scaled down by this factor, so that compression and smoothing of single pixels average out. */
const SCALE = 4

/** A block of pixels differs when one of its channels is this far off, of 255. */
const CHANNEL = 12

/** A differing block counts when this many of its eight neighbours differ, too. Rendering noise is scattered. */
const NEIGHBOURS = 3

/**
 * Compresses a screenshot as WebP and counts the blocks that differ from its baseline; null if there is none.
 * @param {Page} page any page: its browser reads and writes WebP
 * @param {{ png: Buffer, baseline: Buffer | null }} pictures
 * @returns {Promise<{ webp: Buffer, blocks: number | null, marked: Buffer | null }>}
 */
export async function comparePictures(page, { png, baseline }) {
  const { webp, blocks, marked } = await page.evaluate(compareInPage, {
    png: png.toString('base64'),
    baseline: baseline?.toString('base64') ?? null,
    scale: SCALE,
    channel: CHANNEL,
    neighbours: NEIGHBOURS,
  })
  const bytes = (/** @type {string} */ base64) => Buffer.from(base64, 'base64')
  return { webp: bytes(webp), blocks, marked: marked === null ? null : bytes(marked) }
}

/**
 * Runs in the browser. Both pictures have been through the same compression.
 * @param {{ png: string, baseline: string | null, scale: number, channel: number, neighbours: number }} given
 */
async function compareInPage({ png, baseline, scale, channel, neighbours }) {
  const read = async (/** @type {string} */ base64, /** @type {string} */ type) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    return createImageBitmap(new Blob([bytes], { type }))
  }
  const write = async (/** @type {OffscreenCanvas} */ area) => {
    const blob = await area.convertToBlob({ type: 'image/webp', quality: 0.6 })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text)
  }
  const draw = (/** @type {ImageBitmap} */ bitmap, by = 1) => {
    const area = new OffscreenCanvas(Math.ceil(bitmap.width / by), Math.ceil(bitmap.height / by))
    const pen = area.getContext('2d', { willReadFrequently: true })
    if (!pen) throw new Error('No canvas')
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(bitmap, 0, 0, area.width, area.height)
    return { area, pen, pixels: () => pen.getImageData(0, 0, area.width, area.height).data }
  }

  const webp = await write(draw(await read(png, 'image/png')).area)
  if (baseline === null) return { webp, blocks: null, marked: null }
  const now = await read(webp, 'image/webp')
  const before = await read(baseline, 'image/webp')
  if (now.width !== before.width || now.height !== before.height)
    return { webp, blocks: Number.POSITIVE_INFINITY, marked: null }
  const marked = draw(now)
  marked.pen.strokeStyle = '#ff0050'
  const small = draw(now, scale)
  const [a, b] = [small.pixels(), draw(before, scale).pixels()]
  const { width } = small.area
  const differing = new Set(
    Array.from({ length: a.length / 4 }, (_, block) => block).filter((block) =>
      [0, 1, 2].some((part) => Math.abs((a[4 * block + part] ?? 0) - (b[4 * block + part] ?? 0)) > channel),
    ),
  )
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]
  let blocks = 0
  for (const block of differing) {
    if (around.filter((step) => differing.has(block + step)).length < neighbours) continue
    blocks++
    const [x, y] = [(block % width) * scale, Math.floor(block / width) * scale]
    marked.pen.strokeRect(x - 1, y - 1, scale + 2, scale + 2)
  }
  return { webp, blocks, marked: await write(marked.area) }
}
