export { de } from '@hawser/texts/modal/locales/de'
