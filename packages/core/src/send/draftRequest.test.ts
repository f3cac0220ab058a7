import { describe, expect, it } from 'vitest'
import { DOLLAR, DOLLAR_ADDRESS, ETHER } from '../testing/fakeGateway.ts'
import { BOB } from '../testing/fakeWallet.ts'
import { createConnectedKit } from '../testing/kit.ts'
import { openSend, setSendAmount } from './edit.ts'
import { setReceiver } from './receiver.ts'

async function receiving(uri: string) {
  const { hawser } = await createConnectedKit()
  openSend(hawser, { token: ETHER })
  hawser.send.setState({ tokenBalances: [ETHER, DOLLAR] })
  setSendAmount(hawser, '0.25')
  await setReceiver(hawser, uri)
  return hawser.send.getState()
}

describe('a payment request in the field of the receiver', () => {
  it('sets the receiver, and leaves the amount that it does not name', async () => {
    expect(await receiving(`ethereum:${BOB}`)).toMatchObject({
      receiverAddress: BOB,
      receiverStatus: 'valid',
      sendTokenAmount: '0.25',
    })
  })

  it('sets an amount of the native token', async () => {
    const send = await receiving(`ethereum:${BOB}@31337?value=1.5e18`)
    expect(send).toMatchObject({ receiverAddress: BOB, receiverStatus: 'valid', sendTokenAmount: '1.5' })
    expect(send.token?.address).toBeUndefined()
  })

  it('sets a token and its amount', async () => {
    const send = await receiving(`ethereum:${DOLLAR_ADDRESS}@31337/transfer?address=${BOB}&uint256=2500000`)
    expect(send).toMatchObject({ receiverAddress: BOB, receiverStatus: 'valid', sendTokenAmount: '2.5' })
    expect(send.token?.symbol).toBe(DOLLAR.symbol)
  })

  it.each([
    [`ethereum:${BOB}@31338?value=1`, { kind: 'otherNetwork', network: 'Devnet Two' }],
    [`ethereum:${BOB}/transfer?address=${BOB}&uint256=1`, { kind: 'tokenNotHeld' }],
  ])('%s is refused with a reason, and changes no amount', async (uri, receiverObjection) => {
    expect(await receiving(uri)).toMatchObject({
      receiverStatus: 'invalid',
      receiverObjection,
      sendTokenAmount: '0.25',
    })
  })

  it.each([
    ['bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=1', 'bip122'],
    [`ethereum:${BOB}?value=1.5`, undefined],
  ])('%s is refused', async (uri, receiverKind) => {
    const send = await receiving(uri)
    expect(send).toMatchObject({ receiverStatus: 'invalid', sendTokenAmount: '0.25' })
    expect(send.receiverKind).toBe(receiverKind)
  })
})
