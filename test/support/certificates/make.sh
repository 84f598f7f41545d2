#!/bin/sh
# Makes the certificates of the tests anew: sh test/support/certificates/make.sh (needs openssl 3).
# They are valid from 2020 to 2120, but for the one that has expired; their keys protect nothing.
set -eu
cd "$(dirname "$0")"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

cat > "$made/ca.cnf" <<END
[ca]
default_ca = test
[test]
new_certs_dir = $made
database = $made/index
serial = $made/serial
default_md = sha256
policy = any
unique_subject = no
copy_extensions = none
[any]
commonName = supplied
END
: > "$made/index"
echo 01 > "$made/serial"

key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

# sign NAME SUBJECT EXTENSIONS UNTIL KEY: `authority`, `self-signed` and `loopback` by themselves, the others by the authority
sign() {
  openssl req -new -key "$5" -subj "/CN=$2" -out "$made/$1.csr"
  printf '%s\n' "$3" > "$made/$1.ext"
  by="-cert authority.pem -keyfile $made/authority.key"
  case "$1" in authority|self-signed|loopback) by="-selfsign -keyfile $5" ;; esac
  # shellcheck disable=SC2086
  openssl ca -batch -notext -config "$made/ca.cnf" $by -in "$made/$1.csr" -extfile "$made/$1.ext" \
    -startdate 20200101000000Z -enddate "$4" -out "$1.pem" 2> "$made/log" || { cat "$made/log"; exit 1; }
}

key "$made/authority.key"
key server.key
platform='subjectAltName = DNS:platform.example
extendedKeyUsage = serverAuth'
sign authority 'dataimport test authority' 'basicConstraints = critical, CA:true
keyUsage = keyCertSign' 21200101000000Z "$made/authority.key"
sign platform platform.example "$platform" 21200101000000Z server.key
sign other-host other.example 'subjectAltName = DNS:other.example' 21200101000000Z server.key
sign expired platform.example "$platform" 20200201000000Z server.key
sign self-signed platform.example "$platform" 21200101000000Z server.key
sign loopback loopback 'subjectAltName = IP:127.0.0.1
basicConstraints = critical, CA:true' 21200101000000Z server.key
