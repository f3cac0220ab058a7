import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openModal } from '../modal/modal.ts'
import { createKit, type Kit } from '../testing/kit.ts'
import { pushView } from './navigate.ts'
import { popTransactionStack, pushTransactionStack } from './transactionStack.ts'

let kit: Kit

beforeEach(() => {
  kit = createKit()
  openModal(kit.hawser, { view: 'Account' })
})

const router = () => kit.hawser.router.getState()

describe('when the wallet declined', () => {
  it('goes back, then runs what was to run on cancel', () => {
    const onCancel = vi.fn(() => expect(router().view).toBe('Account'))
    pushView(kit.hawser, 'WalletSendPreview')
    pushTransactionStack(kit.hawser, { goBack: false, view: 'Networks', onCancel })
    popTransactionStack(kit.hawser, true)
    expect(onCancel).toHaveBeenCalledOnce()
    expect(router().transactionStack).toEqual([])
  })
})

describe('when the wallet agreed', () => {
  it('goes back one view when it was told to', () => {
    pushView(kit.hawser, 'WalletSend')
    pushTransactionStack(kit.hawser, { goBack: true })
    popTransactionStack(kit.hawser)
    expect(router().history).toEqual(['Account'])
  })

  it('goes back to before the sign-in', () => {
    pushView(kit.hawser, 'Networks')
    pushView(kit.hawser, 'ConnectingSiwe')
    pushView(kit.hawser, 'WhatIsAWallet')
    pushTransactionStack(kit.hawser, { goBack: false, replace: true })
    popTransactionStack(kit.hawser)
    expect(router().history).toEqual(['Account', 'Networks'])
  })

  it('closes when there was no sign-in to go back from', () => {
    pushTransactionStack(kit.hawser, { goBack: false, replace: true })
    popTransactionStack(kit.hawser)
    expect(kit.hawser.modal.getState().open).toBe(false)
  })

  it('resets to the view it was given, then runs what was to run on success', () => {
    const onSuccess = vi.fn(() => expect(router().history).toEqual(['Account']))
    pushView(kit.hawser, 'WalletSendPreview')
    pushTransactionStack(kit.hawser, { goBack: false, view: 'Account', onSuccess })
    popTransactionStack(kit.hawser)
    expect(onSuccess).toHaveBeenCalledOnce()
  })

  it('takes the newest step first, and nothing from an empty stack', () => {
    const order: string[] = []
    pushTransactionStack(kit.hawser, { goBack: false, onSuccess: () => order.push('older') })
    pushTransactionStack(kit.hawser, { goBack: false, onSuccess: () => order.push('newer') })
    for (let pops = 0; pops < 3; pops += 1) popTransactionStack(kit.hawser)
    expect(order).toEqual(['newer', 'older'])
  })
})
