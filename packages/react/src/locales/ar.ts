export { ar } from '@hawser/texts/modal/locales/ar'
