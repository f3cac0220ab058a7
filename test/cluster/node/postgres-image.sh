#!/bin/bash
# Packs the newest PostgreSQL of this machine, with the libraries that it is linked to, as an image: postgres-image.sh OCIIMAGE ARCHIVE
set -euo pipefail
version=$(ls /usr/lib/postgresql | sort -n | tail -1)
program=/usr/lib/postgresql/$version
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root$program"/{bin,lib} "$root/usr/share/postgresql" "$root"/{etc,bin,data,usr/share/zoneinfo}
cp "$program"/bin/{postgres,initdb,psql,pg_isready,pg_dump,pg_restore} "$root$program/bin/"
cp "$program"/lib/{plpgsql,dict_snowball}.so "$root$program/lib/"
cp -r "/usr/share/postgresql/$version" "$root/usr/share/postgresql/"
if [ -d /usr/share/zoneinfo/Etc ]; then cp -rL /usr/share/zoneinfo/{UTC,Etc} "$root/usr/share/zoneinfo/"; fi
cp /bin/dash "$root/bin/sh"
for file in "$root$program"/bin/* "$root$program"/lib/*.so "$root"/bin/*; do
  { ldd "$file" 2> /dev/null || true; } | awk '/=> \//{print $3} /^\t\//{print $1}'
done | sort -u | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
printf 'root:x:0:0::/:/bin/sh\npostgres:x:999:999::/data:/bin/sh\n' > "$root/etc/passwd"
printf 'root:x:0:\npostgres:x:999:\n' > "$root/etc/group"
cat > "$root/bin/run" << EOF2
#!/bin/sh
# Starts PostgreSQL, with a new database if there is none: the password of its superuser and its certificate are in /etc/postgres.
set -e
export PATH=$program/bin:/bin
if [ ! -s /data/pg/PG_VERSION ]; then
  initdb -D /data/pg -U postgres --auth-local=trust --auth-host=scram-sha-256 --pwfile=/etc/postgres/password -E UTF8 --locale=C
  echo 'host all all all scram-sha-256' >> /data/pg/pg_hba.conf
fi
exec postgres -D /data/pg -c listen_addresses='*' -c unix_socket_directories=/tmp -c max_connections=300 -c ssl=on -c ssl_cert_file=/etc/postgres/tls.crt -c ssl_key_file=/etc/postgres/tls.key
EOF2
chmod +x "$root/bin/run"
for tool in psql pg_isready pg_dump pg_restore; do ln -s "$program/bin/$tool" "$root/bin/$tool"; done
"$1" -o "$2" -name localhost/postgres:1 -user 999:999 -entrypoint /bin/run "$root:/"
