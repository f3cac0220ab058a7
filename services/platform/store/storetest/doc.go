// Package storetest gives tests a fresh database of every kind the suite runs on.
package storetest
