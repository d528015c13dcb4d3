import { testPlayer } from '#tests/support/test-player.ts'
import { WORKER_TYPES } from '#game/workers.ts'
import { createFundedPlayer } from './funded-player.ts'
import { expect, DESKTOP_ONLY, test } from './browser-test.ts'

// The API for other programs: paths, payloads and responses exactly as in the spec. Additional fields are allowed.

const number = expect.any(Number)
const text = expect.any(String)
const has = (shape: Record<string, unknown>) => expect.objectContaining(shape)

const CODES = ['NA', 'SA', 'EU', 'AS', 'AF', 'OC', 'AN']
const TYPES: string[] = [...WORKER_TYPES]
const WORKER_TYPE = {
  workerType: text,
  name: text,
  maxSupply: number,
  sold: number,
  available: number,
  progress: number,
  price: number,
  generationRate: number,
  image: text,
}

test(
  'login calls: a nonce, three lines to sign, a token, and the user (S-50, S-82, S-83, S-84, A-20, A-34)',
  DESKTOP_ONLY,
  async ({ request, baseURL }) => {
    const { wallet: walletAddress, sign } = testPlayer()
    const nonceResponse = await request.post('/api/users/nonce', { data: { walletAddress } })
    const { success, nonce, message } = await nonceResponse.json()
    expect(success).toBe(true)
    expect(nonce).toMatch(/^\S{16,}$/)
    const lines = (message as string).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain('Cotton Farm')
    expect(lines[0]).toContain(new URL(baseURL!).hostname)
    expect(lines.slice(1)).toEqual([`Nonce: ${nonce}`, `Wallet: ${walletAddress}`])

    const proof = { signature: sign(message).toString('base64'), message, walletAddress }
    const verified = await request.post('/api/users/verify-wallet', { data: proof })
    expect(await verified.json()).toEqual(has({ success: true, token: text, message: text }))
    const user = await request.get(`/api/users/wallet/${walletAddress}`)
    expect(await user.json()).toEqual({ walletAddress, creditBalance: 0, frozen: null })
  },
)

test(
  'the image of a picker is an image, and a missing file is not a page (S-52)',
  DESKTOP_ONLY,
  async ({ request }) => {
    const { workerTypes } = await (await request.get('/api/workers/types')).json()
    const images = Object.values(workerTypes as Record<string, { image: string }>).map(({ image }) => image)
    expect(new Set(images).size).toBe(TYPES.length)
    for (const image of images) {
      const answer = await request.get(image)
      expect([image, answer.status()]).toEqual([image, 200])
      expect(answer.headers()['content-type']).toMatch(/^image\//)
      expect(await answer.text()).toContain('<svg')
    }
    for (const missing of ['/no-such-icon.ico', '/sw.js', '/art/nobody.svg'])
      expect([missing, (await request.get(missing)).status()]).toEqual([missing, 404])
  },
)

test(
  'calls of the pickers and of deposits (S-52, S-53, S-57, S-85, S-86, S-87, S-88, S-89, S-90, A-12, A-24, A-26)',
  DESKTOP_ONLY,
  async () => {
    const { address: walletAddress, call } = await createFundedPlayer(50_000)
    expect((await call('GET', '/api/users/deposit-address')).body).toEqual(
      has({ depositWallet: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) }),
    )
    const checked = { newDeposit: true, amount: 50_000, newBalance: 50_000 }
    expect((await call('GET', '/api/users/check-deposit')).body).toEqual(has(checked))
    expect((await call('GET', '/api/users/check-deposit')).body).toEqual(
      has({ newDeposit: false, amount: 0 }),
    )

    const hired = await call('POST', '/api/workers/purchase', { workerType: 'kid', walletAddress })
    expect(hired.body).toEqual(has({ success: true, worker: has({ workerId: text }), message: text }))
    const { workerId } = (hired.body as { worker: { workerId: string } }).worker
    const types = await call('GET', '/api/workers/types')
    expect(types.body).toEqual({
      success: true,
      workerTypes: Object.fromEntries(
        TYPES.map((workerType) => [workerType, has({ ...WORKER_TYPE, workerType })]),
      ),
    })
    const { kid } = (types.body as { workerTypes: Record<string, Record<string, number>> }).workerTypes
    expect(kid!.available).toBe(kid!.maxSupply! - kid!.sold!)
    expect(kid!.sold).toBeGreaterThan(0)
    expect(kid!.progress).toBeCloseTo((kid!.sold! / kid!.maxSupply!) * 100, 6)
    const supply = await call('GET', '/api/workers/supply')
    expect(supply.body).toEqual(
      Object.fromEntries(TYPES.map((type) => [type, has({ name: text, sold: number })])),
    )

    const ownedWorkers = async () => {
      const { body } = await call('GET', '/api/workers/owned')
      return (body as { workers: Record<string, number | string>[] }).workers
    }
    await expect.poll(async () => (await ownedWorkers())[0]!.unclaimedTokens).toBeGreaterThan(0)
    const owned = await ownedWorkers()
    expect(owned).toEqual([
      has({
        workerId,
        workerType: 'kid',
        totalGeneratedTokens: number,
        claimedGeneratedTokens: 0,
        unclaimedTokens: number,
        generationRate: 5_000,
        purchaseDate: text,
        lastTokenUpdate: text,
      }),
    ])
    const [worker] = owned
    expect(Math.abs(Date.parse(String(worker!.lastTokenUpdate)) - Date.now())).toBeLessThan(5_000)
    expect(worker!.unclaimedTokens).toBe(Math.floor(Number(worker!.totalGeneratedTokens)))
    expect((await call('POST', '/api/workers/claim', { workerId })).body).toEqual(
      has({ claimedAmount: number }),
    )
    const again = await call('POST', '/api/workers/claim', { workerId })
    if (again.status !== 200) expect(again.body).toEqual(has({ message: text }))
  },
)

test('calls of the land (S-54, S-55, S-91, S-92, A-05)', DESKTOP_ONLY, async () => {
  const { address: walletAddress, call } = await createFundedPlayer(0)
  const price = await call('GET', '/api/continent-price/EU')
  expect(price.body).toEqual(has({ currentPrice: number }))
  const stats = { owned: number, total: number, available: number, currentPrice: number }
  expect((await call('GET', '/api/continent-stats')).body).toEqual(
    Object.fromEntries(CODES.map((code) => [code, has(stats)])),
  )
  const parcels = (await call('GET', '/api/parcels?regionId=AN')).body as unknown as object[]
  const parcel = {
    parcelId: expect.stringMatching(/^AN-/),
    regionId: 'AN',
    regionName: 'Antarctica',
    countryCode: text,
    countryName: text,
    owned: expect.any(Boolean),
    area: number,
    basePrice: number,
  }
  expect(parcels.length).toBeGreaterThan(12)
  for (const each of parcels) {
    expect(each).toEqual(has(parcel))
    expect([1, 2, 3]).toContain(Reflect.get(each, 'tier'))
    expect(each).toHaveProperty('ownerWallet')
    expect(each).toHaveProperty(
      'assetType',
      /AN-\d/.test(Reflect.get(each, 'parcelId')) ? 'parcel' : 'country',
    )
  }
  const poor = await call('POST', '/api/parcels/purchase', { parcelId: 'EU-PL', walletAddress })
  const message = expect.stringMatching(/^Not enough credits/)
  expect(poor).toMatchObject({ status: 409, body: { success: false, message } })
})

test(
  'every call that changes state needs a token and the wallet of that token (S-80, A-02)',
  DESKTOP_ONLY,
  async ({ request }) => {
    const [ana, bob] = await Promise.all([createFundedPlayer(0), createFundedPlayer(0)])
    const walletAddress = ana.address
    const id = '01980000-0000-7000-8000-000000000000'
    const calls: [path: string, body: object][] = [
      ['/api/workers/purchase', { workerType: 'kid', walletAddress }],
      ['/api/parcels/purchase', { parcelId: 'EU-PL', walletAddress }],
      ['/api/marketplace/purchase', { listingId: id, walletAddress }],
      [`/api/marketplace/cancel/${id}`, { walletAddress }],
      ['/api/marketplace/list', { parcelId: 'EU-PL', price: 1, walletAddress }],
    ]
    for (const [path, data] of calls) {
      const anonymous = await request.post(path, { data })
      expect([path, anonymous.status(), (await anonymous.json()).message]).toEqual([
        path,
        401,
        'Not authenticated',
      ])
      expect([path, (await bob.call('POST', path, data)).status]).toEqual([path, 403])
    }
    for (const path of ['/api/users/check-deposit', '/api/users/deposit-address', '/api/workers/owned'])
      expect((await request.get(path)).status()).toBe(401)
    const bearer = { authorization: `Bearer ${ana.token}` }
    expect((await request.get('/api/users/deposit-address', { headers: bearer })).status()).toBe(200)
  },
)
