// Package primary asks the Ethereum Name Service by which name an account wants to be shown (ENSIP-19), and what its picture is (ENSIP-12).
package primary
