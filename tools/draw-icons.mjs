// Draws the icons of the installed game and the picture of shared links from the art, into web/share.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { assertNode } from '../scripts/assert-node.mjs'
import { findChromium } from '../scripts/find-chromium.mjs'

assertNode()
const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'web', 'share')

/** @param {string} file */
const readArt = (file) => readFileSync(join(root, 'web', 'art', file), 'utf8')

/**
 * An SVG of the art as an image, which keeps the ids of several apart.
 * @param {string} file
 * @param {string} style
 */
const image = (file, style) =>
  `<img src="data:image/svg+xml;base64,${Buffer.from(readArt(file)).toString('base64')}" style="position:absolute;${style}">`

/**
 * The boll on the sky above a field. `margin` is the free border in percent: launchers crop a maskable icon to a circle
 * of 80 percent.
 * @param {{ radius: number, margin: number }} shape
 */
const drawIcon = ({ radius, margin }) => `
  <div style="position:absolute;inset:0;overflow:hidden;border-radius:${radius}%;background:linear-gradient(180deg,#49b4ee,#a9e1f8 58%,#fdf3da 72%)">
    <div style="position:absolute;left:-20%;right:-20%;top:72%;height:60%;border-radius:50% 50% 0 0;background:linear-gradient(180deg,#7cc04a,#3f8f33)"></div>
    ${image('boll.svg', `left:${margin}%;top:${margin}%;width:${100 - 2 * margin}%;height:${100 - 2 * margin}%;filter:drop-shadow(0 3% 2% #0005)`)}
  </div>`

const CAST = [
  ['grandma', 70],
  ['kid', 300],
  ['grandad', 700],
  ['bigman', 930],
]

const drawLink = () => `
  <div style="position:absolute;inset:0;overflow:hidden">
    <div style="position:absolute;inset:0">${readArt('landscape.svg').replace('<svg ', '<svg width="1200" height="750" style="position:absolute;bottom:0;left:0" ')}</div>
    ${image('logo.svg', 'left:275px;top:24px;width:650px;filter:drop-shadow(0 8px 10px #0006)')}
    ${CAST.map(([name, left]) => image(`${name}.svg`, `left:${left}px;bottom:6px;width:${name === 'kid' ? 200 : 232}px`)).join('')}
    ${image('foreground.svg', 'left:0;bottom:0;width:1200px')}
  </div>`

const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  const page = await browser.newPage()
  /** @param {{ html: string, width: number, height: number }} picture @param {'png' | 'jpeg'} type */
  const draw = async ({ html, width, height }, type) => {
    await page.setViewportSize({ width, height })
    await page.setContent(`<body style="margin:0;background:transparent">${html}`)
    await page.waitForFunction(() => [...document.images].every((each) => each.complete))
    return page.screenshot(type === 'jpeg' ? { type, quality: 72 } : { type, omitBackground: true })
  }
  /** @param {number} size @param {{ radius: number, margin: number }} shape */
  const icon = (size, shape) => draw({ html: drawIcon(shape), width: size, height: size }, 'png')
  const rounded = { radius: 22, margin: 9 }
  write('icon-192.png', await icon(192, rounded))
  write('icon-512.png', await icon(512, rounded))
  write('icon-maskable-512.png', await icon(512, { radius: 0, margin: 19 }))
  write('apple-touch-icon.png', await icon(180, { radius: 0, margin: 10 }))
  write('favicon.ico', asIco(await icon(32, { radius: 22, margin: 2 }), 32))
  write('link.jpg', await draw({ html: drawLink(), width: 1_200, height: 630 }, 'jpeg'))
} finally {
  await browser.close()
}

/** @param {string} file @param {Buffer} bytes */
function write(file, bytes) {
  writeFileSync(join(folder, file), bytes)
}

/**
 * An ICO file with one PNG in it.
 * @param {Buffer} png
 * @param {number} size
 */
function asIco(png, size) {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
