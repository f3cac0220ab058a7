import { expect, it } from 'vitest'
import { warnings as german } from '../gen/de/preview.ts'
import { reasonText } from './warningTexts.ts'

it('says a common reason in another language', () => {
  const reason = { reason: 'The account has too little SOL', cause: 'NATIVE_LOW' }
  expect(reasonText(reason, german)).toBe('Das Konto hat zu wenig von der Währung des Netzwerks')
})

it.each(['', 'OF_A_NEWER_GATEWAY', 'toString'])('leaves a reason with the cause "%s" as it is', (cause) => {
  expect(reasonText({ reason: 'ERC20: transfer amount exceeds balance', cause }, german)).toBe(
    'ERC20: transfer amount exceeds balance',
  )
})
